#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// What was compiled once is kept for the next run: a short command would else spend most of its time on that.
enableCompileCache();
const { run } = await import('./commands/run-command.ts');
process.exitCode = await run(process.argv.slice(2));
