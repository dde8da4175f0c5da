import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKOUT } from '../../harness/service/program.ts';
import { Unknown } from '../client.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

export const MAP_PLACES = 300;
const KILL_SHARE = 0.3;
const KILL_MS = 1_500;

/** Imports a newer map than the last one. The command is killed now and then, and begins again with the same map. */
export async function importMap(world: World, random: Random): Promise<void> {
  const { imported } = world.acknowledged;
  imported.begun = imported.version + 1;
  const file = join(world.folder, 'map.geojson');
  await writeFile(file, mapOf(imported.begun));
  const child = spawn(process.execPath, ['src/cli.ts', 'import', 'geojson', file], {
    cwd: CHECKOUT,
    env: { ...process.env, DATABASE_URL: world.databaseUrl, DATA_DIR: world.folder, LOG_LEVEL: 'fatal' },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const delay = random.below(KILL_MS);
  if (random.chance(KILL_SHARE)) void pause(delay).then(() => child.kill('SIGKILL'));
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Unknown('the import did not end');
  imported.version = imported.begun;
}

/** The name of each place says which map it comes from. */
export function nameIn(version: number, at: number): string {
  return `Kopi Nomor ${at} edisi ${version}`;
}

function mapOf(version: number): string {
  const features = Array.from({ length: MAP_PLACES }, (_, at) => ({
    type: 'Feature',
    properties: { '@type': 'node', '@id': at + 1, name: nameIn(version, at + 1), amenity: 'cafe' },
    geometry: { type: 'Point', coordinates: [115.1 + (at % 20) / 200, -8.7 + Math.floor(at / 20) / 200] },
  }));
  // Newer than the one before: the file says of which moment it tells.
  return JSON.stringify({ type: 'FeatureCollection', timestamp: new Date().toISOString(), features });
}
