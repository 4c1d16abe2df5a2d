import type { Action } from '../scenario/schema.ts';
import type { EngineState, Run } from './state.ts';

/** The actions that only HTTP performs; each is one effect. */
export function performHttp(state: EngineState, run: Run, action: Action): void {
  const { exchange } = run;
  const { effects } = state;
  if ('respond' in action) effects.push({ type: 'respond', exchange, options: action.respond });
  else if ('redirect' in action) effects.push({ type: 'redirect', exchange, options: action.redirect });
  else if ('openStream' in action) effects.push({ type: 'open-stream', exchange, options: action.openStream });
  else if ('closeStream' in action) effects.push({ type: 'end-stream', exchange, target: action.closeStream, how: 'close' });
  else if ('cut' in action) effects.push({ type: 'end-stream', exchange, target: action.cut, how: 'cut' });
  else if ('reset' in action) effects.push({ type: 'end-stream', exchange, target: action.reset, how: 'reset' });
  else if ('closeSession' in action) effects.push({ type: 'close-session', exchange });
  else if ('down' in action) effects.push({ type: 'down' });
  else if ('up' in action) effects.push({ type: 'up' });
  else if ('restart' in action) effects.push({ type: 'restart' });
}
