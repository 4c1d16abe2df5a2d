/**
 * Pure helpers for judges, in one place to import from.
 */
export {
  barrierOf, eventsOf, everOffered, lastRegistry, logLines, ownEventsFrom, registrySnapshots, settledSteps, subjectOf,
  textOf, troubles, type At,
} from './basic-views.ts';
export { pairedCalls, pairings, PROBE, type PairedCall, type Pairing } from './call-views.ts';
export { listedNames, listedTools, programAt, scriptedServers } from './program-views.ts';
export {
  answerTo, faultsFired, frames, holds, isObject, listings, messageOf, pages, paramsOf, received, sent, wireRecords,
  type Listing, type Page, type WireFilter,
} from './wire-views.ts';
