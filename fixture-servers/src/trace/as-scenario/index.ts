/** Scenarios, and tools for scenarios, from traces. Apart from reading a trace, since it loads the whole language. */
export { fromConversations, type TracedScenario } from './from-conversations.ts';
export { scenarioText } from './to-yaml.ts';
export { toolsOfTrace } from './traced-tools.ts';
export { loadConversations, type Conversations } from '../conversation/load.ts';
