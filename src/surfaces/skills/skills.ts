import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Surface } from '../../core/context.ts';
import { RPC, RpcError } from '../../protocol/mcp/json-rpc.ts';
import type { Resource } from '../../protocol/mcp/resource.ts';

const EXTENSION = 'io.modelcontextprotocol/skills';

/** Usage instructions: one skill per surface, in a folder of its own beside this file. */
const SKILLS = {
  agent: 'list-a-business',
  partner: 'plan-a-visit',
  concierge: 'ask-for-a-table',
  reserve: 'ask-for-a-table',
} as const satisfies Record<Surface, string>;

/** A skill as returned by `skills/list` and `skills/get`. */
interface Skill {
  uri: string;
  frontmatter: { name: string; description: string; [key: string]: string };
  resources: { uri: string; digest: string; size: number }[];
}

/** The files and methods with which an endpoint serves its skill. */
interface ServedSkills {
  resources: Resource[];
  extensions: Record<string, object>;
  methods: Record<string, (params: Record<string, unknown>) => object>;
}

/** The address of a surface's skill, for pointing a model to it. */
export function skillUri(surface: Surface): string {
  return `skill://${SKILLS[surface]}/SKILL.md`;
}

export function surfaceSkills(config: Pick<Config, 'prefix'>, surface: Surface): ServedSkills {
  const text = readSkill(config.prefix, surface);
  const skill = describe(skillUri(surface), text);
  const { name, description } = skill.frontmatter;
  const listing = { uri: skill.uri, name, description, mimeType: 'text/markdown', size: sizeOf(text) };
  return {
    resources: [{ listing, read: () => ({ text }) }],
    extensions: { [EXTENSION]: {} },
    methods: {
      'skills/list': ({ cursor }) => {
        if (cursor !== undefined)
          throw new RpcError(RPC.invalidParams, 200, 'The list has only one page, so no cursor is accepted.');
        return { skills: [skill] };
      },
      'skills/get': ({ uri }) => {
        if (uri !== skill.uri)
          throw new RpcError(RPC.invalidParams, 200, 'There is no skill at this address. Call skills/list.');
        return { skill };
      },
    },
  };
}

/** The files name tools with the default prefix; an installation may have another. */
function readSkill(prefix: string, surface: Surface): string {
  const file = new URL(`${SKILLS[surface]}/SKILL.md`, import.meta.url);
  return readFileSync(file, 'utf8').replaceAll('`svc_', `\`${prefix}_`);
}

function describe(uri: string, text: string): Skill {
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return { uri, frontmatter: frontmatterOf(text), resources: [{ uri, digest, size: sizeOf(text) }] };
}

/** Our frontmatter consists of plain `key: text` lines, the only YAML it needs; a test enforces that. */
function frontmatterOf(text: string): Skill['frontmatter'] {
  const [, head = ''] = /^---\n([^]*?)\n---\n/.exec(text) ?? [];
  const lines = head.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  const { name = '', description = '', ...rest } = Object.fromEntries(lines) as Record<string, string>;
  return { name, description, ...rest };
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
