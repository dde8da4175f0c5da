import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addConnectPage, type OauthLibrary } from './connect-page.ts';
import { addConnectionsPage } from './connections-page.ts';

/** Mounts the OAuth pages: the decision about a client, and the list of approved ones. */
export function addOauthPages(app: FastifyInstance, deps: Deps, library: OauthLibrary): void {
  addFormPages(app, (scope) => {
    addConnectPage(scope, deps, library);
    addConnectionsPage(scope, deps);
  });
}
