import { workerData } from 'node:worker_threads';
import { buildStreets } from '../streets/build/build-streets.ts';

// This file runs in a worker thread: building takes a second, in which the service answers.
const { file, folder } = workerData as { file: string; folder: string };
await buildStreets({ file, folder, progress: () => () => undefined });
