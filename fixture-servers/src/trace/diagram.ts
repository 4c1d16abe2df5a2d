/** A trace as a sequence diagram in text: one record after the other, so that a trace of any size can be drawn. */
import pc from 'picocolors';
import { isJsonObject } from '../jsonrpc/message.ts';
import { withMessage } from './message.ts';
import { createPairing } from './pairing.ts';
import { cells, duration, fit, pad, printable, size } from './printable.ts';
import type { FrameRecord, TraceRecord } from './schema.ts';

/** Columns of the time at the left. */
const TIME_COLUMNS = 11;
/** Narrower than this nothing can be read. */
const MIN_WIDTH = 48;
/** How many lines of one stderr record are shown. */
const MAX_STDERR_LINES = 8;

/** How it is drawn. */
export interface DiagramOptions {
  /** Columns; at least 48. Default 100. */
  readonly width?: number;
  /** Whether colours are used. Default false. */
  readonly colors?: boolean;
}

/** A diagram that is being drawn. */
export interface Diagram {
  /** The lines that show this record. */
  push(record: TraceRecord): string[];
  /** The lines below the last record: counts, what was never answered, answered twice, or answered with an unknown id. */
  end(): string[];
}

type Paint = (text: string) => string;

/** Starts a diagram. */
export function createDiagram(options: DiagramOptions = {}): Diagram {
  const width = Math.max(MIN_WIDTH, Math.floor(options.width ?? 100));
  const color = pc.createColors(options.colors ?? false);
  const inner = width - TIME_COLUMNS - 3;
  const pairing = createPairing();
  const counts = { messages: 0, bytes: 0, faults: 0 };
  let firstMs: number | undefined;
  let lastMs = 0;
  let process = '';

  const line = (atMs: number | undefined, left: string, body: string, right: string, paint: Paint): string => {
    const time = atMs === undefined ? '' : `+${duration(Math.max(0, atMs - (firstMs ?? atMs)))}`;
    return `${color.dim(time.padStart(TIME_COLUMNS))} ${left}${paint(body)}${right}`;
  };
  const beside = (atMs: number | undefined, text: string, paint: Paint): string =>
    line(atMs, '│', pad(`  ${fit(text, inner - 2)}`, inner), '│', paint);
  const arrow = (frame: FrameRecord, label: string, tail: string, paint: Paint): string => {
    const end = fit(` ${tail} `, inner - 8);
    const text = ` ${fit(label, Math.max(1, inner - 6 - cells(end)))} `;
    const rule = '─'.repeat(Math.max(0, inner - 4 - cells(text) - cells(end)));
    if (frame.direction === 'client-to-server') return line(frame.atMs, '├', `──${text}${rule}${end}─▶`, '│', paint);
    return line(frame.atMs, '│', `◀─${text}${rule}${end}──`, '┤', paint);
  };

  const message = (frame: FrameRecord, value: unknown): string[] => {
    if (!isJsonObject(value)) return [arrow(frame, `no message: ${printable(frame.raw, inner)}`, tailOf(frame), color.red)];
    const { label, kind, asked } = pairing.note(frame, value);
    const took = asked === undefined ? '' : `${duration(frame.atMs - asked.atMs)} · `;
    const paint = { request: color.cyan, notification: color.yellow, result: color.green, error: color.red, odd: color.red }[kind];
    return [arrow(frame, label, `${took}${tailOf(frame)}`, paint)];
  };
  const frame = (record: FrameRecord): string[] => {
    counts.bytes += record.bytes;
    const bare = record.raw === '' && record.http !== undefined;
    if (bare) return [arrow(record, httpLabel(record), tailOf(record), color.dim)];
    counts.messages += 1;
    const full = withMessage(record);
    const value = full.kind === 'frame' ? full.message : undefined;
    // A batch: each of its messages is one.
    return Array.isArray(value) && value.length > 0 ? value.slice(0, 100).flatMap((each) => message(record, each)) : message(record, value);
  };
  const body = (record: TraceRecord): string[] => {
    switch (record.kind) {
      case 'frame':
        return frame(record);
      case 'fault':
        counts.faults += 1;
        return [beside(record.atMs, `✗ ${printable(record.rule, 128)}: ${printable(record.action, 64)}`, color.magenta)];
      case 'hold':
        return [beside(record.atMs, `⏸ ${printable(record.hold, 128)} ${record.event}`, color.magenta)];
      default:
        return processLines(record).map((text, index) => beside(index === 0 ? record.atMs : undefined, text, record.event === 'stderr' ? color.dim : color.bold));
    }
  };
  return {
    push(record) {
      firstMs ??= record.atMs;
      lastMs = Math.max(lastMs, record.atMs);
      pairing.see(record);
      const current = heading(record);
      const lines = current === process ? [] : [line(undefined, color.dim('┼'), pad(`─ ${fit(current, inner - 4)} `, inner, '─'), color.dim('┼'), color.dim)];
      if (process === '') lines.unshift(line(undefined, '', pad('client', inner - 4) + 'server', '', color.bold));
      process = current;
      lines.push(...body(record));
      return lines;
    },
    end() {
      const findings = pairing.findings();
      const total = `${counts.messages} messages, ${size(counts.bytes)}, ${counts.faults} faults, ${duration(lastMs - (firstMs ?? 0))}`;
      return ['', firstMs === undefined ? 'no records' : total, ...(findings.length === 0 ? ['every request was answered once'] : findings.map((text) => color.red(fit(text, width))))];
    },
  };
}

function heading(record: TraceRecord): string {
  const session = record.session === undefined ? '' : ` · session ${printable(record.session, 16)}${record.session.length > 16 ? '…' : ''}`;
  return `${printable(record.server, 64)} · ${record.carrier} · pid ${record.pid}${session}`;
}

function httpLabel({ http }: FrameRecord): string {
  if (http?.ended !== undefined) return `response ${http.ended === 'cut' ? 'cut off' : 'ended'}`;
  if (http?.event !== undefined) return `empty event ${printable(http.event, 64)}`;
  const type = http?.responseHeaders?.['content-type'];
  if (http?.status !== undefined) return type?.startsWith('text/event-stream') === true ? 'event stream' : 'no body';
  return printable(http?.path ?? '', 200);
}

function tailOf({ bytes, http }: FrameRecord): string {
  if (http === undefined) return size(bytes);
  const exchange = http.exchange === undefined ? '' : ` ·${http.exchange}`;
  return `${printable(http.method, 16)}${http.status === undefined ? '' : ` ${http.status}`}${exchange} · ${size(bytes)}`;
}

function processLines(record: Extract<TraceRecord, { kind: 'process' }>): string[] {
  switch (record.event) {
    case 'start':
      return ['▶ process started'];
    case 'incarnation':
      return [`incarnation ${record.incarnation} begins`];
    case 'input-end':
      return ['client closed the input'];
    case 'grandchild':
      return [`started a grandchild, pid ${record.childPid ?? '?'}`];
    case 'exit':
      return [`■ process ended${record.code === undefined ? '' : ` with code ${record.code}`}${record.signal === undefined ? '' : ` by ${printable(record.signal, 32)}`}`];
    case 'note':
      return [`note: ${printable(record.text ?? '')}`];
    case 'session':
      return [`session ${printable(record.session ?? '', 64)} begins`];
    case 'session-end':
      return [`session ${printable(record.session ?? '', 64)} ended`];
    case 'down':
      return [printable(record.text ?? 'port closed, connections reset')];
    case 'up':
      return ['port open again'];
    case 'restart':
      return ['every session forgotten, connections reset'];
    default: {
      const lines = (record.text ?? '').split('\n').filter((text) => text !== '');
      const more = lines.length - MAX_STDERR_LINES;
      return [...lines.slice(0, MAX_STDERR_LINES).map((text) => `stderr: ${printable(text, 1024)}`), ...(more > 0 ? [`stderr: and ${more} lines more`] : [])];
    }
  }
}
