/** The id of one of our requests; some servers send a number back as text. `NaN` for any other. */
export function idOf(id: unknown): number {
  if (typeof id === 'number') return id;
  return typeof id === 'string' && /^(?:0|[1-9]\d{0,15})$/.test(id) ? Number(id) : Number.NaN;
}
