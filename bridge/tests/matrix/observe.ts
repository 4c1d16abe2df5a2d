/** What the system says of processes and connections, whatever the bridge believes. */
import { readdirSync, readFileSync } from 'node:fs';

/** Command lines with this text among their arguments; a zombie has none. Empty where the system tells nothing. */
export function processesWith(argument: string): string[] {
  return entries('/proc').filter((entry) => /^\d+$/.test(entry)).flatMap((pid) => {
    const line = read(`/proc/${pid}/cmdline`);
    return line.split('\0').includes(argument) ? [`${pid} ${line.replaceAll('\0', ' ')}`] : [];
  });
}

/** Connections of this machine to a loopback port: on their way, open, or closed by the other side alone. */
export function connectionsTo(port: number): number {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => read(file).split('\n').slice(1));
  return rows.filter((row) => {
    const [, , remote, state] = row.trim().split(/\s+/);
    return remote?.endsWith(`:${wanted}`) === true && ['01', '02', '08'].includes(state ?? '');
  }).length;
}

/** What keeps this process alive, by kind: timers, sockets, pipes, listeners, processes. */
export function activeResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    // Work that is over in a moment, of the test runner mostly.
    if (/^(?:CloseReq|FSReq.*|Immediate|TickObject|.*WriteWrap|ShutdownWrap|.*ConnectWrap|FILEHANDLE.*)$/.test(kind)) continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
