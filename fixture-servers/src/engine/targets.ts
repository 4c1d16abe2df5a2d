import type { Action } from '../scenario/schema.ts';

/** Whether an action of HTTP is about the request that its rule answers, so that it means nothing without one. */
export function needsRequest(action: Action): boolean {
  if ('respond' in action || 'redirect' in action || 'openStream' in action) return true;
  if ('closeStream' in action) return action.closeStream === 'request';
  if ('cut' in action) return action.cut === 'request';
  return 'reset' in action && action.reset === 'request';
}
