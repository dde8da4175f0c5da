import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { assetUrl } from '../../assets.ts';
import type { TileAddress } from '../../../../streets/archive/tile-id.ts';

const unpack = promisify(gunzip);
const ZOOM_MAX = 22;
const FOREVER = 'public, max-age=31536000, immutable';

interface TileRequest {
  Params: { z: string; x: string; file: string };
  Querystring: { v?: unknown };
}

/** Returns the address of the tiles of a map, as the map library fills it in. */
export function tileUrlPattern(version: string): string {
  return `/tiles/{z}/{x}/{y}.mvt?v=${version}`;
}

/** Views of other origins load the tiles and what draws them. */
const FOR_VIEWS = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/** Serves the vector tiles of the street map, and what draws them. */
export function addTileRoute(app: FastifyInstance, deps: Deps): void {
  const { streets } = deps;
  app.get('/tiles/map.json', async (_request, reply) => {
    const map = await streets.look();
    if (map === undefined) throw new AppError('not_found', 'This service has no street map.');
    const { version, maxZoom, boxes, attribution } = map;
    return reply
      .headers({ ...FOR_VIEWS, 'cache-control': 'no-cache' })
      .send({
        script: assetUrl('leaflet.js'),
        style: assetUrl('leaflet.css'),
        renderer: assetUrl('street-renderer.js'),
        street_script: assetUrl('street-map.js'),
        ...{ tiles: tileUrlPattern(version), max_zoom: maxZoom, boxes, attribution },
      });
  });
  app.get<TileRequest>('/tiles/:z/:x/:file', async ({ params, query, headers }, reply) => {
    const address = addressOf(params);
    // An address with a version that is not the current one was made by another node, or before the map was replaced.
    const known = query.v !== undefined && query.v === streets.map?.version;
    const map = known ? streets.map : await streets.look();
    if (address === undefined || map === undefined || address.z > map.maxZoom)
      throw new AppError('not_found', 'There is no tile at this address.');
    const isCurrent = query.v === map.version;
    reply.headers(FOR_VIEWS);
    const etag = `"${map.version}"`;
    reply.header('cache-control', isCurrent ? FOREVER : 'no-cache').header('etag', etag);
    reply.header('vary', 'accept-encoding');
    if (headers['if-none-match'] === etag) return reply.code(304).send();
    const tile = await streets.tile(address);
    if (tile === undefined) return reply.code(204).send();
    reply.type('application/vnd.mapbox-vector-tile');
    const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(headers['accept-encoding'] ?? '');
    return acceptsGzip ? reply.header('content-encoding', 'gzip').send(tile) : reply.send(await unpack(tile));
  });
}

function addressOf({ z: zoom, x: column, file }: TileRequest['Params']): TileAddress | undefined {
  const row = /^(\d{1,7})\.mvt$/.exec(file)?.[1];
  if (row === undefined || !/^\d{1,2}$/.test(zoom) || !/^\d{1,7}$/.test(column)) return undefined;
  const [z, x, y] = [Number(zoom), Number(column), Number(row)];
  return z <= ZOOM_MAX && x < 2 ** z && y < 2 ** z ? { z, x, y } : undefined;
}
