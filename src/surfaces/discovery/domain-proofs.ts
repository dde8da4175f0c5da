import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../core/context.ts';

/** Adds the files with which directories verify ownership of the domain. Only configured ones exist. */
export function addDomainProofs(app: FastifyInstance, { config }: Deps): void {
  const { openaiApps, mcpRegistry } = config.domainProofs;
  const files = { 'openai-apps-challenge': openaiApps, 'mcp-registry-auth': mcpRegistry };
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue;
    // The verifier needs the current setting, not a cached earlier one.
    app.get(`/.well-known/${name}`, (_request, reply) =>
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text),
    );
  }
}
