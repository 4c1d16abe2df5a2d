/** The version of the control channel that both sides name. */
export const CONTROL_VERSION = 1;
