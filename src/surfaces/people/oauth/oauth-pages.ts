import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { areaFrame } from '../frame/frame.ts';
import { addPage } from '../person/person-route.ts';
import { connectFrame, connectPage, type OauthLibrary } from './connect-page.ts';
import { connectionsPage } from './connections-page.ts';

/** Mounts the OAuth pages: the decision about a client, and the list of approved ones. */
export function addOauthPages(app: FastifyInstance, deps: Deps, library: OauthLibrary): void {
  addFormPages(app, (scope) => {
    addPage(scope, deps, connectPage(library), connectFrame);
    addPage(scope, deps, connectionsPage, areaFrame('operator'));
  });
}
