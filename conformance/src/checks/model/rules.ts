import type { SubjectDescription } from '../../adapter/messages.ts';

/** How the subject behaves in ways that change what a step does. */
export interface ModelRules {
  /** It reconnects by itself after a loss. */
  readonly recovers: boolean;
  /** A change can reach its registry without a restart: it follows announcements, or lists afresh at each look. */
  readonly follows: boolean;
  /** A look may wait for a listing, so none is taken while one is held. */
  readonly pulls: boolean;
  /** How many servers it takes, and whether they come and go one by one. */
  readonly servers: SubjectDescription['servers'];
  /** It can restart one server with the same entry; else everything is closed and opened. */
  readonly reloads: boolean;
  /** Two servers may list tools of the same raw name. */
  readonly sharesNames: boolean;
}

/** Of a subject that can do everything and leaves a lost server alone: what a plan is an example of does not depend on who runs it. */
export const CAPABLE: ModelRules = { recovers: false, follows: true, pulls: false, servers: 'dynamic', reloads: true, sharesNames: true };

/** What a subject's declarations mean for the model. */
export function rulesOf({ registry, features, servers, names }: Pick<SubjectDescription, 'registry' | 'features' | 'servers' | 'names'>): ModelRules {
  return {
    recovers: features.includes('reconnect'),
    follows: registry === 'pull' || features.includes('list-changes'),
    pulls: registry === 'pull',
    servers,
    reloads: features.includes('reload'),
    sharesNames: names.scheme !== 'own' || names.qualified,
  };
}
