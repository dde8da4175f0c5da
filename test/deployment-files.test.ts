import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { parseEnv, promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { parseConfig } from '../src/config.ts';
import { SECRET_SETTINGS, SETTING_NAMES } from '../src/node/settings.ts';
import { debianProgram } from './harness/debian/debian-program.ts';
import { createPlainDatabase } from './harness/service/database.ts';
import { CHECKOUT, freePort, startProgram, untilReady } from './harness/service/program.ts';

const read = (file: string) => readFileSync(join(CHECKOUT, file), 'utf8');
const MANIFESTS = globSync('deploy/kubernetes/*.yaml', { cwd: CHECKOUT }).toSorted();
/** Seconds that a stop may take: docs/operations.md, "Stopping". */
const LONGEST_STOP_S = 90;

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
}

interface Container {
  command: string[];
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[];
  ports?: { name: string; containerPort: number }[];
  securityContext: { readOnlyRootFilesystem: boolean; allowPrivilegeEscalation: boolean };
  volumeMounts: { name: string; mountPath: string }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
}

interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    terminationGracePeriodSeconds: number;
    securityContext: { runAsNonRoot: boolean; runAsUser: number };
    containers: [Container];
    volumes: { name: string }[];
  };
}

interface ComposeService {
  environment: Record<string, string | number>;
  ports: string[];
  volumes: string[];
  read_only: boolean;
  tmpfs: string[];
  cap_drop: string[];
  stop_grace_period: string;
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  stringData: Record<string, string>;
  resources: string[];
  spec: {
    replicas: number;
    selector: Record<string, string> & { matchLabels: Record<string, string> };
    ports: { targetPort: string }[];
    maxUnavailable: number;
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    minReplicas: number;
    template: PodTemplate;
  };
}

const manifests = MANIFESTS.flatMap((file) =>
  parseAllDocuments(read(file), { strict: true }).map((document) => {
    assert.deepEqual(document.errors, [], file);
    return document.toJS() as Manifest;
  }),
);

function manifest(kind: string): Manifest {
  const [one, ...others] = manifests.filter((each) => each.kind === kind);
  assert.ok(one !== undefined && others.length === 0, `one ${kind}`);
  return one;
}

const settings = manifest('ConfigMap').data;
const secrets = manifest('Secret').stringData;
const nodes = manifest('Deployment').spec;
const config = parseConfig({ ...settings, ...secrets });
const pods = [nodes.template, manifest('Job').spec.template];

/** The settings of a container on this machine, with a database and an address of the test's own. */
function settingsHere(databaseUrl: string, port: number): Record<string, string> {
  return {
    ...Object.fromEntries(
      Object.entries({ ...settings, ...secrets }).filter(([name]) => !name.startsWith('PHOTO_S3_')),
    ),
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, String(port)),
    HOST: '127.0.0.1',
    PORT: String(port),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'waypost-deployment-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the kustomization names every manifest but the example of the secret and the optional autoscaler', () => {
  const named = manifest('Kustomization').resources;
  assert.deepEqual(
    [...named, 'autoscale.yaml', 'kustomization.yaml', 'secret.example.yaml'].toSorted(),
    MANIFESTS.map((file) => basename(file)),
  );
});

test('the manifests and the secret hold valid settings, and what is secret is in the secret', () => {
  assert.equal(config.databaseUrl, secrets['DATABASE_URL']);
  assert.notEqual(config.photoS3, undefined, 'nodes share their photos');
  assert.ok(config.trustedProxies.length > 0);
  for (const name of Object.keys({ ...settings, ...secrets })) assert.ok(SETTING_NAMES.includes(name), name);
  for (const name of Object.keys(settings)) assert.ok(!SECRET_SETTINGS.includes(name), `${name} is a secret`);
  for (const name of Object.keys(secrets)) assert.ok(SECRET_SETTINGS.includes(name), `${name} is no secret`);
  const names = [manifest('ConfigMap'), manifest('Secret')].map(({ metadata }) => metadata.name);
  for (const { spec } of pods)
    assert.deepEqual(
      spec.containers[0].envFrom.map(
        (from) => ('secretRef' in from ? from.secretRef : from.configMapRef).name,
      ),
      names,
    );
});

test('service, disruption budget and deployment mean the same pods and the same port', () => {
  const { labels } = nodes.template.metadata;
  const budget = manifest('PodDisruptionBudget').spec;
  const service = manifest('Service').spec;
  assert.deepEqual(nodes.selector.matchLabels, labels);
  assert.deepEqual(budget.selector.matchLabels, labels);
  assert.deepEqual(service.selector, labels);
  assert.notDeepEqual(manifest('Job').spec.template.metadata.labels, labels, 'no traffic for the migration');
  assert.ok(nodes.replicas - budget.maxUnavailable >= 2);
  const [port, ...others] = nodes.template.spec.containers[0].ports ?? [];
  assert.deepEqual([port?.containerPort, others], [config.port, []]);
  for (const name of service.ports.map(({ targetPort }) => targetPort)) assert.equal(name, port?.name);
});

test('the autoscaler scales the nodes, and never removes the last three', () => {
  const { scaleTargetRef, minReplicas } = manifest('HorizontalPodAutoscaler').spec;
  assert.deepEqual(scaleTargetRef, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: manifest('Deployment').metadata.name,
  });
  assert.equal(minReplicas, nodes.replicas);
});

test('compose gives both nodes valid settings, a read-only root, and the time that a stop takes', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>;
  };
  for (const name of ['node-a', 'node-b']) {
    const node = services[name];
    assert.ok(node !== undefined);
    const values = Object.fromEntries(
      Object.entries(node.environment).map(([setting, value]) => {
        assert.ok(SETTING_NAMES.includes(setting), setting);
        // As Compose does it: the default after :-, or a value that somebody has set.
        return [
          setting,
          String(value).replaceAll(
            /\$\{\w+(?::-([^}]*))?[^}]*\}/g,
            (_text, otherwise?: string) => otherwise ?? 'a-value-of-an-operator',
          ),
        ];
      }),
    );
    const { port, photoDir, dataDir } = parseConfig(values);
    assert.ok(node.ports.every((mapping) => mapping.endsWith(`:${port}`)));
    assert.deepEqual(
      node.volumes.map((volume) => volume.split(':')[1]),
      [dataDir, photoDir],
    );
    assert.deepEqual([node.read_only, node.tmpfs, node.cap_drop], [true, ['/tmp'], ['ALL']]);
    assert.ok(parseInt(node.stop_grace_period, 10) >= LONGEST_STOP_S);
  }
});

test('pods are not root, write to their data and /tmp alone, and have the time that a stop takes', () => {
  for (const { spec } of pods) {
    const [container] = spec.containers;
    assert.equal(spec.securityContext.runAsNonRoot, true);
    assert.equal(spec.securityContext.runAsUser, Number(/^USER (\d+):/m.exec(read('Dockerfile'))?.[1]));
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    assert.equal(container.securityContext.allowPrivilegeEscalation, false);
    assert.deepEqual(
      container.volumeMounts.map(({ mountPath }) => mountPath),
      [settings['DATA_DIR'], '/tmp'],
    );
    assert.deepEqual(
      container.volumeMounts.map(({ name }) => name),
      spec.volumes.map(({ name }) => name),
    );
  }
  assert.ok(nodes.template.spec.terminationGracePeriodSeconds >= LONGEST_STOP_S);
  const { readinessProbe } = nodes.template.spec.containers[0];
  const noticedAfterS = readinessProbe.periodSeconds * readinessProbe.failureThreshold;
  assert.ok(config.drainMs > noticedAfterS * 1_000, 'a node drains until that is noticed');
});

test('with the settings of the manifests the migration ends, a node starts, and every probe is answered', async () => {
  const database = await createPlainDatabase();
  after(() => database.drop());
  const here = settingsHere(database.url, await freePort());
  const commandOf = ({ spec }: PodTemplate) => {
    const [node, ...args] = spec.containers[0].command;
    assert.equal(node, 'node_modules/.bin/node');
    return [process.execPath, ...args];
  };
  const migration = startProgram(commandOf(manifest('Job').spec.template), here);
  assert.equal(await migration.ended, 0, migration.said.error);
  assert.match(migration.said.out, /^The tables are up to date\.$/m);
  const node = startProgram(commandOf(nodes.template), here);
  await untilReady(node);
  const { startupProbe, readinessProbe, livenessProbe } = nodes.template.spec.containers[0];
  for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe])
    assert.equal((await fetch(node.url + httpGet.path)).status, 200, httpGet.path);
  node.child.kill('SIGINT');
  assert.equal(await node.ended, 0, node.said.error);
});

test('the image is made in stages, and runs the program itself as a user that owns nothing of it', () => {
  const [, packages = '', image = ''] = read('Dockerfile').split(/^FROM /m);
  assert.match(packages, /npm ci --omit=dev/);
  assert.doesNotMatch(image, /\bnpm\b/);
  assert.match(image, /^USER 1000:1000$/m);
  assert.doesNotMatch(image, /--chown/);
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(image)?.[1] ?? '[]') as string[];
  assert.deepEqual(nodes.template.spec.containers[0].command, command);
  const environment = parseEnv((/^ENV (.*)$/m.exec(image)?.[1] ?? '').replaceAll(' ', '\n'));
  assert.equal(environment['DATA_DIR'], settings['DATA_DIR']);
  assert.match(image, new RegExp(`^EXPOSE ${parseConfig({}).port}$`, 'm'));
});

const analyze = await debianProgram('/usr/bin/systemd-analyze', 'systemd');

test(
  'systemd takes the units as they are, with commands that exist and the time that a stop takes',
  { skip: 'missing' in analyze && analyze.missing },
  async () => {
    const units = globSync('deploy/systemd/*', { cwd: CHECKOUT }).toSorted();
    assert.equal(units.length, 3);
    for (const file of units) {
      // The program is where this checkout is; everything else is as an operator copies it.
      const text = read(file)
        .replaceAll('/opt/waypost', CHECKOUT)
        .replace(/^(User|Group)=.*$/gm, '$1=root');
      writeFileSync(join(folder, basename(file)), text);
      for (const [, name = ''] of text.matchAll(/^Environment=(\w+)=/gm))
        assert.ok(SETTING_NAMES.includes(name), name);
    }
    for (const file of units) {
      const { stderr } = await promisify(execFile)('/usr/bin/systemd-analyze', [
        'verify',
        join(folder, basename(file)),
      ]);
      assert.doesNotMatch(stderr, new RegExp(basename(file)));
    }
    const unit = read('deploy/systemd/waypost.service');
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) >= LONGEST_STOP_S);
    assert.match(unit, /^KillMode=mixed$/m);
    const help = read('src/commands/help.txt');
    for (const file of units)
      for (const [, command = ''] of read(file).matchAll(/src\/cli\.ts (\w+)/g))
        assert.match(help, new RegExp(`^ {2}${command} `, 'm'));
  },
);
