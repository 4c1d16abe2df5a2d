/** Names of the barriers by which a judge finds its way through a run. */
export const barriers = {
  /** The registry holds the plan's first list. */
  start: 'model: the first list is there',
  /** Everything that belongs to this step is in the history before here. */
  step: (index: number): string => `model: step ${index} is done`,
  /** The registry holds what is due after this step. */
  settled: (index: number): string => `model: step ${index} has settled`,
  /** The listing that this step caused is held. */
  held: (index: number): string => `model: the listing of step ${index} is held`,
  /** The call of this step reached the server. */
  underWay: (index: number): string => `model: the call of step ${index} is under way`,
  /** The call settled once nothing held it any more. */
  ends: (callId: string): string => `model: ${callId} settles`,
  /** The process ended. */
  ended: (index: number): string => `model: the process ended in step ${index}`,
  /** Another process was started. */
  restarted: (index: number): string => `model: another process was started after step ${index}`,
  /** The subject says that the server can be called again. */
  recovered: (index: number): string => `model: the server is back after step ${index}`,
} as const;
