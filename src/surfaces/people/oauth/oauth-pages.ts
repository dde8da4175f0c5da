import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addConnectRoutes } from './connect-routes.ts';
import { addConnectionsRoutes } from './connections-routes.ts';

/** The pages of OAuth: one to decide about a client, one to see those that were approved. */
export function addOauthPages(app: FastifyInstance, deps: Deps, provider: Provider): void {
  addFormPages(app, (scope) => {
    addConnectRoutes(scope, deps, provider);
    addConnectionsRoutes(scope, deps);
  });
}
