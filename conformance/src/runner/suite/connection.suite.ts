import { suiteOf } from './suite-of.ts';

await suiteOf('connection');
