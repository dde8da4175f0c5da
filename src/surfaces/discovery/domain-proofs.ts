import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../core/context.ts';

/** The files by which directories see that a domain belongs to whoever submits it. Only those that are set exist. */
export function addDomainProofs(app: FastifyInstance, { config }: Deps): void {
  const { openaiApps, mcpRegistry } = config.domainProofs;
  const files = { 'openai-apps-challenge': openaiApps, 'mcp-registry-auth': mcpRegistry };
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue;
    // Whoever checks wants the text of this moment, not that of a setting from before.
    app.get(`/.well-known/${name}`, (_request, reply) =>
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text),
    );
  }
}
