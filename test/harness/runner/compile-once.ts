// Loads what nearly every test file loads. The compiled modules are stored when this process ends, so that the test
// processes, which start at the same time, do not each compile them.
import '../../../src/main.ts';
import '../../../src/app.ts';
import '../../../src/node/tasks.ts';
import '../../../src/jobs/run-jobs.ts';
import '../../../src/oauth/provider.ts';
import '../../../src/answers/answer-question.ts';
import '../../../src/demo/load-demo.ts';
import 'playwright-core';
