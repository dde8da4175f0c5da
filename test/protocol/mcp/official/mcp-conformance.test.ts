import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { modernRpc } from '../../../harness/clients/mcp.ts';
import { runPackageBin } from '../../../harness/clients/package-bin.ts';
import { sharedService } from '../../../harness/service/shared-service.ts';

const home = await mkdtemp(join(tmpdir(), 'waypost-conformance-'));
after(() => rm(home, { recursive: true, force: true }));
const service = await sharedService();

test('the list of tools and server/discover say how long and by whom they may be kept', async () => {
  for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp']) {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'server/discover']) {
      const { body } = await modernRpc(service, path, method);
      assert.equal(body.result?.['ttlMs'], 3_600_000, `${method} on ${path}`);
      assert.equal(body.result['cacheScope'], 'public', `${method} on ${path}`);
    }
  }
});

test('the tools of partners pass the scenario of the official suite for lists of tools', async () => {
  const args = ['server', '--url', `${service.url}/api/partner/mcp`, '--scenario', 'tools-list'];
  args.push('--spec-version', '2026-07-28');
  const suite = ['@modelcontextprotocol/conformance', 'conformance'] as const;
  const { code, stdout } = await runPackageBin(...suite, args, { home, timeoutMs: 300_000 });
  assert.equal(code, 0, stdout);
});
