import type { Invariant } from './invariant.ts';

/** What holds beyond the source on either transport: progress, state, a tool's own errors. */
export const resilienceInvariants: readonly Invariant[] = [
  {
    id: 'CALL-021',
    area: 'call',
    statement: "A tool's own error can be read as the tool said it, whatever its output schema says of the result.",
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B14', 'S36'], spec: ['server/tools#error-handling'] },
    features: ['output-validation'],
    elsewhere: 'that a schema is judged by its own dialect is CALL-013; which dialects the reference compiles: bridge/tests/output-validation.test.ts',
  },
  {
    id: 'CALL-034',
    area: 'call',
    statement: 'Where toolCallMaxTotalMs allows more than toolCallTimeoutMs, a call asks for progress, each notice of it begins toolCallTimeoutMs anew, and toolCallMaxTotalMs ends the call whatever it is told.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B11'], spec: ['basic/utilities/progress', 'basic/lifecycle#timeouts'], reports: ['R38'] },
    features: ['outcomes'],
  },
  {
    id: 'CALL-035',
    area: 'call',
    statement: 'Without toolCallMaxTotalMs progress extends nothing: a call ends at toolCallTimeoutMs, however often its server tells of it.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B11', 'S05'], reports: ['R38'] },
    features: ['outcomes'],
  },
  {
    id: 'CONNECTION-040',
    area: 'connection',
    statement: 'The state that is told of a server is true and its number of tools is that of the registry: ready when opened, reconnecting in an outage and failed when given up, both with the last error, and ready again when recovered; one that is removed is told of no more, or as disposed.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B20'] },
    features: ['reconnect'],
    transports: ['stdio'],
    elsewhere: "that its changes are announced in the host's own manner: bridge/tests/state.test.ts",
  },
];
