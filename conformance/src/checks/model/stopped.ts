/** A run cannot go on as planned; what was observed is judged as far as it goes. */
export class RunStopped extends Error {}
