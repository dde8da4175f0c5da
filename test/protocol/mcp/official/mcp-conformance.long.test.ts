import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { McpServer } from '../../../../src/protocol/mcp/dispatch.ts';
import { addMcpEndpoint } from '../../../../src/protocol/mcp/endpoint.ts';
import { modernRpc } from '../../../harness/clients/mcp.ts';
import { runPackageBin } from '../../../harness/clients/package-bin.ts';
import { startTestService } from '../../../harness/service/service.ts';
import notApplicable from './conformance-not-applicable.json' with { type: 'json' };
import { CONFORMANCE_RESOURCES, CONFORMANCE_TOOLS } from './conformance-tools.ts';

const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
const PATH = '/conformance/mcp';
const TIMEOUT_MS = 300_000;
// The texts of the server, or of the suite, about a feature that the server does not have.
const ABSENCE =
  /method is not supported|no tool with this name|no resource at this address|no tool with x-mcp-header|InputRequiredResult|got -32601/;

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
  details?: unknown;
}

interface Run {
  version: string;
  code: number;
  output: string;
  /** The checks of each scenario that ran. */
  scenarios: Map<string, Check[]>;
}

const folder = await mkdtemp(join(tmpdir(), 'waypost-conformance-'));
after(() => rm(folder, { recursive: true, force: true }));
const service = await startTestService({
  mount: (http, deps, lane) => {
    const info = {
      name: 'conformance',
      title: 'Conformance',
      version: '1.0.0',
      websiteUrl: deps.config.baseUrl,
      icons: [],
    };
    const offer = new McpServer({
      info,
      instructions: 'Fixtures of the official suite.',
      tools: CONFORMANCE_TOOLS,
      resources: CONFORMANCE_RESOURCES,
      extensions: {},
      methods: {},
    });
    const url = deps.config.baseUrl + PATH;
    addMcpEndpoint(http, deps, { surface: 'partner', path: PATH, url, keyForCalls: false, offer }, lane);
  },
});

const expectedFailures = join(folder, 'expected-failures.yaml');
await writeFile(
  expectedFailures,
  `server:\n${Object.keys(notApplicable)
    .map((entry) => `  - ${entry}\n`)
    .join('')}`,
);
const listed = await listScenarios();
const runs: Run[] = [];
for (const version of VERSIONS) runs.push(await runSuite(version));

for (const run of runs) {
  test(`every scenario of ${run.version} that applies to this server passes`, (t) => {
    assert.deepEqual([...run.scenarios.keys()].sort(), listed.get(run.version));
    assert.deepEqual(
      failures(run).filter(({ entry }) => entry === undefined),
      [],
    );
    assert.equal(run.code, 0, run.output);
    t.diagnostic(figures(run));
  });

  test(`scenarios that do not apply fail in ${run.version} only because the server lacks the feature`, () => {
    for (const { name, message } of failures(run)) assert.match(message, ABSENCE, name);
  });
}

test('every entry of the list of what does not apply is needed, and is printed with its reason', (t) => {
  const needed = new Set(runs.flatMap(failures).map(({ entry }) => entry));
  for (const [entry, reason] of Object.entries(notApplicable)) {
    assert.ok(needed.has(entry), `${entry} does not fail any more: take it off the list.`);
    t.diagnostic(`does not apply: ${entry}. ${reason}`);
  }
});

test('nothing that the suite sends ends in an error on our side', () => {
  const answers = service.logged.filter(({ route }) => route === PATH);
  assert.ok(answers.length > 100, String(answers.length));
  assert.deepEqual(
    answers.filter(({ status }) => Number(status) >= 500),
    [],
  );
});

test('the list of tools and server/discover say how long and by whom they may be kept', async () => {
  for (const path of [PATH, '/mcp', '/api/partner/mcp', '/api/concierge/mcp']) {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'server/discover']) {
      const { body } = await modernRpc(service, path, method);
      assert.equal(body.result?.['ttlMs'], 3_600_000, `${method} on ${path}`);
      assert.equal(body.result['cacheScope'], 'public', `${method} on ${path}`);
    }
  }
});

test('the tools that the service really offers pass the scenario for lists of tools', async () => {
  for (const version of ['2025-11-25', '2026-07-28']) {
    const finished = await Promise.all(
      ['/api/partner/mcp', '/api/concierge/mcp'].map((path) =>
        conformance(
          ...['server', '--url', service.url + path, '--scenario', 'tools-list', '--spec-version', version],
        ),
      ),
    );
    for (const { code, stdout } of finished) assert.equal(code, 0, stdout);
  }
});

function conformance(...args: string[]) {
  return runPackageBin('@modelcontextprotocol/conformance', 'conformance', args, {
    home: folder,
    timeoutMs: TIMEOUT_MS,
  });
}

async function runSuite(version: string): Promise<Run> {
  const results = join(folder, version);
  const { code, stdout, stderr } = await conformance(
    ...['server', '--url', service.url + PATH, '--suite', 'all', '--spec-version', version],
    ...['--expected-failures', expectedFailures, '--output-dir', results],
  );
  const scenarios = new Map<string, Check[]>();
  for (const name of await readdir(results)) {
    // Each scenario has a folder that is named after it and after the time at which it ran.
    const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    assert.ok(scenario !== undefined, name);
    scenarios.set(
      scenario,
      JSON.parse(await readFile(join(results, name, 'checks.json'), 'utf8')) as Check[],
    );
  }
  return { version, code, output: `${stdout}\n${stderr}`, scenarios };
}

/** The suite's scenarios by version, so that a scenario that silently did not run is noticed. */
async function listScenarios(): Promise<Map<string, string[]>> {
  const { stdout } = await conformance('list', '--server');
  const listed = [...stdout.matchAll(/^ {2}- (\S+) \[(.+)\]$/gm)];
  return new Map(
    VERSIONS.map((version) => {
      const names = listed.filter(([, , versions]) => versions?.split(',').includes(version));
      return [version, names.map(([, name]) => name ?? '').sort()];
    }),
  );
}

/** The checks that did not pass, warnings included, each with the entry of the list that excuses it. */
function failures({ scenarios }: Run): { name: string; message: string; entry: string | undefined }[] {
  return [...scenarios].flatMap(([scenario, checks]) =>
    checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, errorMessage }) => {
        const name = `${scenario}:${id}`;
        return {
          name,
          message: errorMessage ?? '',
          entry: [scenario, name].find((key) => Object.hasOwn(notApplicable, key)),
        };
      }),
  );
}

function figures(run: Run): string {
  const excused = new Set(failures(run).map(({ entry }) => entry ?? ''));
  const inPart = new Set([...excused].filter((entry) => entry.includes(':')).map(scenarioOf));
  const failed = new Set([...excused].map(scenarioOf));
  const passed = [...run.scenarios].filter(([scenario]) => !failed.has(scenario));
  const empty = passed.filter(([, checks]) => !checks.some(provesSomething)).map(([scenario]) => scenario);
  const checks = passed.flatMap(([, all]) => all).filter(({ status }) => status === 'SUCCESS').length;
  return [
    `${run.version}: of ${run.scenarios.size} scenarios ${passed.length} pass with ${checks} checks`,
    `${inPart.size} apply in part and pass there`,
    `${failed.size - inPart.size} do not apply`,
    `passed for want of anything to check: ${empty.join(', ') || 'none'}`,
  ].join('; ');
}

function scenarioOf(entry: string): string {
  return entry.replace(/:.*/, '');
}

function provesSomething({ id, status, details }: Check): boolean {
  return status === 'SUCCESS' && id !== 'wire-schema-valid' && !ABSENCE.test(JSON.stringify(details ?? ''));
}
