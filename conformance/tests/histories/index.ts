/** The hand-written histories of every area. */
import type { JudgeHistories } from './builder.ts';
import { callHistories } from './call.ts';
import { configHistories } from './config.ts';
import { connectionHistories } from './connection.ts';
import { discoveryHistories } from './discovery.ts';
import { environmentHistories } from './environment.ts';
import { generationHistories } from './generation.ts';
import { hostHistories } from './host.ts';
import { httpHistories } from './http/index.ts';
import { isolationHistories } from './isolation.ts';
import { modelHistories } from './model.ts';
import { namingHistories } from './naming.ts';
import { projectionHistories } from './projection.ts';
import { realHistories } from './real.ts';
import { resilienceHistories } from './resilience/index.ts';
import { wireHistories } from './wire.ts';

/** All of them. */
export const judgeHistories: readonly JudgeHistories[] = [
  ...configHistories,
  ...namingHistories,
  ...discoveryHistories,
  ...generationHistories,
  ...modelHistories,
  ...wireHistories,
  ...callHistories,
  ...projectionHistories,
  ...connectionHistories,
  ...httpHistories,
  ...resilienceHistories,
  ...environmentHistories,
  ...isolationHistories,
  ...hostHistories,
  ...realHistories,
];
