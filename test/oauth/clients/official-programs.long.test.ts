import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort, Person, startOauthService } from '../../harness/clients/oauth.ts';
import { OauthClient } from '../../harness/clients/oauth-client.ts';
import { runPackageBin, type Finished } from '../../harness/clients/package-bin.ts';
import { USER_AGENT } from '../../harness/service/service.ts';
import { PATIENCE_MS } from '../../harness/patience.ts';

// The Inspector's own exit code.
const AUTH_REQUIRED = 3;

const home = await mkdtemp(join(tmpdir(), 'waypost-oauth-'));
after(() => rm(home, { recursive: true, force: true }));
const service = await startOauthService();
const OPTIONS = {
  home,
  timeoutMs: PATIENCE_MS,
  // The Inspector asks nobody unless it believes that somebody is there, and forgets tokens where there is no keychain.
  env: { MCP_AUTO_OPEN_ENABLED: 'true', BROWSER: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' },
};

/** Runs a program that sends a person to the service, and does what the person would. */
async function runWithPerson(
  packageName: string,
  program: string,
  args: string[],
  person: Person,
): Promise<Finished> {
  let printed = '';
  let approval: Promise<unknown> | undefined;
  const hear = (text: string) => {
    printed += text;
    const url = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?[^\s"']+(?=\s)/.exec(printed)?.[0];
    if (url === undefined || approval !== undefined) return;
    approval = person.approve(url).then((answer) => fetch(answer));
  };
  const finished = await runPackageBin(packageName, program, args, { ...OPTIONS, hear });
  assert.ok(approval, `the program asked for a person\n${printed}`);
  await approval;
  return finished;
}

test('every scenario of the official suite for authorization servers passes', async (t) => {
  const port = String(await freePort());
  const { client } = await OauthClient.register(service, {
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
  });
  const output = join(home, 'results');
  const args = ['authorization', '--url', service.baseUrl, '--client-id', client.client_id];
  args.push('--resource', `${service.baseUrl}/mcp`, '--port', port, '--output-dir', output);
  const person = new Person(service, 'suite@operator.example');
  const { code, stdout } = await runWithPerson(
    '@modelcontextprotocol/conformance',
    'conformance',
    args,
    person,
  );
  assert.equal(code, 0, stdout);
  assert.doesNotMatch(stdout, /FAILURE|SKIPPED|WARNING|[1-9]\d* (failed|warnings)/, stdout);
  t.diagnostic(stdout.trim().split('\n').slice(-6).join('\n'));
});

test('the Inspector connects with a person once, and then with what it has stored', async () => {
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  const call = ['--cli', '--server-url', `${service.baseUrl}/mcp`, '--header', `User-Agent: ${USER_AGENT}`];
  call.push('--method', 'tools/call', '--tool-name', 'svc_list_submissions', '--callback-url', callback);
  const inspector = ['@modelcontextprotocol/inspector', 'mcp-inspector'] as const;
  const stored = () => runPackageBin(...inspector, [...call, '--stored-auth-only'], OPTIONS);

  assert.equal((await stored()).code, AUTH_REQUIRED);
  const person = new Person(service, 'inspector@operator.example');
  const first = await runWithPerson(...inspector, call, person);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /"structuredContent"/);
  const second = await stored();
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stdout, /"structuredContent"/);
});
