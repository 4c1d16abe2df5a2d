/**
 * Waits for the end of the command line, however that ends, also by a kill that it cannot answer; then nothing that it
 * started, which the argument marks, may live on for long.
 */
import { END_GRACES } from './end-graces.ts';
import { sweep } from './sweep.ts';

const clean = (): void => void sweep(process.argv[2] ?? '', END_GRACES);
// The channel keeps this process alive until the other end is gone.
if (process.connected) process.once('disconnect', clean);
else clean();
