/**
 * The reference bridge in the DeepSeek Harness, with the Harness' own registry, attachment store and model routes, as a
 * subject of the suite.
 */
import * as cordis from '@deepseek-ai/cordis';
import * as attachments from '@deepseek-ai/dsh-attachment-local';
import * as llm from '@deepseek-ai/dsh-llm';
import * as systemPrompt from '@deepseek-ai/dsh-system-prompt';
import * as tools from '@deepseek-ai/dsh-tools';
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import { startDshHost } from 'cordis-plugin-mcp-bridge/host';
import { createReferenceAdapter } from '../reference/adapter.ts';

const modules = { cordis, systemPrompt, tools, attachments, llm };

/** Makes the way to it. */
export const createAdapter: AdapterFactory = () =>
  createReferenceAdapter({ host: { label: 'on the DeepSeek Harness', start: (options) => startDshHost(modules, options) } });
