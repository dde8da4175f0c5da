import type { TestService } from '../../harness/service/service.ts';

/** An address of the service, as its router knows it: `/v/:token`. */
export interface PageRoute {
  pattern: string;
  methods: ReadonlySet<string>;
}

/** Every route of the router, so that a new one is tried without being named anywhere. */
export async function readRoutes(service: TestService): Promise<PageRoute[]> {
  const patterns = patternsOf(service.app.http.printRoutes({ commonPrefix: false }));
  return Promise.all(
    patterns.map(async (pattern) => {
      // No route has PATCH: what it says instead is what it has.
      const answer = await service.request(pattern.replaceAll(/:\w+/g, 'x'), { method: 'PATCH' });
      await answer.arrayBuffer();
      return { pattern, methods: new Set(answer.headers.get('allow')?.split(', ')) };
    }),
  );
}

function patternsOf(tree: string): string[] {
  const stack: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^(?<indent>[│ ]*)[└├]── (?<part>\S+)(?<methods> \()?/u.exec(line)?.groups;
    if (found === undefined) return [];
    stack.length = (found['indent'] ?? '').length / 4;
    stack.push(found['part'] ?? '');
    return found['methods'] === undefined ? [] : [stack.join('')];
  });
}
