import { describe, expect, it } from 'vitest';
import { driverBounds, workerLimits, WORKER_LIMITS } from '../../src/runner/worker-limits.ts';

describe('the limits that the environment gives', () => {
  it('replace those that they name, and hold for a driver process too', () => {
    expect(workerLimits(undefined)).toBe(WORKER_LIMITS);
    const limits = workerLimits('{"startMs":60000}');
    expect(limits).toEqual({ ...WORKER_LIMITS, startMs: 60_000 });
    expect(driverBounds(limits).startMs).toBe(60_000);
  });

  it.each<[string, RegExp]>([
    ['startMs=1', /MCP_CONFORMANCE_LIMITS is no JSON; give an object such as/],
    ['{"startMs":0}', /MCP_CONFORMANCE_LIMITS: startMs .*; it knows startMs, answerMs/],
    ['{"start":5}', /Unrecognized key.*it knows startMs, answerMs/],
  ])('are refused when they are %s', (text, told) => {
    expect(() => workerLimits(text)).toThrow(expect.objectContaining({ code: 'misuse', message: expect.stringMatching(told) }));
  });
});
