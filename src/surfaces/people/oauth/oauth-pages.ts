import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addConnectPage, type OauthLibrary } from './connect-page.ts';
import { addConnectionsPage } from './connections-page.ts';

/** The pages of OAuth: one to decide about a client, one to see those that were approved. */
export function addOauthPages(app: FastifyInstance, deps: Deps, library: OauthLibrary): void {
  addFormPages(app, (scope) => {
    addConnectPage(scope, deps, library);
    addConnectionsPage(scope, deps);
  });
}
