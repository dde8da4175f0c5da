#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Caches compiled code for the next run; a short command would otherwise spend most of its time compiling.
enableCompileCache();
const { runCommand: run } = await import('./commands/run-command.ts');
process.exitCode = await run(process.argv.slice(2));
