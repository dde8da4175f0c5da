import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addConnectPage } from './connect-page.ts';
import { addConnectionsPage } from './connections-page.ts';

/** The pages of OAuth: one to decide about a client, one to see those that were approved. */
export function addOauthPages(app: FastifyInstance, deps: Deps, provider: Provider): void {
  addFormPages(app, (scope) => {
    addConnectPage(scope, deps, provider);
    addConnectionsPage(scope, deps);
  });
}
