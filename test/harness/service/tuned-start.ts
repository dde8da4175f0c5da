import { loadConfig } from '../../../src/config.ts';
import { startService } from '../../../src/main.ts';
import { tuningOf } from './tuning.ts';

// Starts the service as `src/cli.ts start` does, with the tuning that its environment names, which the service itself
// does not read.
await startService(loadConfig(tuningOf(process.env)));
