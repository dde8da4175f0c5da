import { raw, type Html } from '../../../../core/text/html.ts';
import { example, markdownIt, topicContent, type Content } from '../content.ts';
import type { DocsModel, Topic } from '../docs-model.ts';
import { GUIDE_BLOCKS, GUIDE_TEXTS } from './guide-values.ts';
import type { GuideTopic } from './read-guides.ts';

type Tokens = ReturnType<typeof markdownIt.parse>;

/** Tables look like those of the other pages: stacked on a phone, with a name at the beginning of each row. */
const beginsRow = (tokens: Tokens, at: number) => tokens[at]?.type === 'tr_open';
Object.assign(markdownIt.renderer.rules, {
  table_open: () => '<table class="stack">',
  th_open: () => '<th scope="col">',
  td_open: (tokens: Tokens, at: number) => (beginsRow(tokens, at - 1) ? '<th scope="row">' : '<td>'),
  td_close: (tokens: Tokens, at: number) => (beginsRow(tokens, at - 3) ? '</th>' : '</td>'),
});

/** Renders a section of a guide. Its code blocks are examples, and the paragraph before each is the caption. */
export function guideTopic({ id, title, source }: GuideTopic, model: DocsModel): Topic {
  const text: Content[] = [];
  const examples: Content[] = [];
  const filled = fillTexts(source, model);
  const lines = filled.split('\n');
  const blocks = topLevelBlocks(markdownIt.parse(filled, {}));
  for (const [i, block] of blocks.entries()) {
    const [first, inline] = block;
    if (first?.type === 'fence') examples.push(fencedExample(first, blocks[i - 1]));
    else if (blocks[i + 1]?.[0]?.type !== 'fence')
      text.push(
        blockValue(inline?.content, model) ?? {
          html: renderBlock(block),
          markdown: lines
            .slice(...(first?.map ?? []))
            .join('\n')
            .trim(),
        },
      );
  }
  return { id, title, content: topicContent({ id, title, textClass: 'prose' }, text, examples) };
}

/** Groups tokens by the paragraphs, lists and other blocks of the text. */
function topLevelBlocks(tokens: Tokens): Tokens[] {
  const blocks: Tokens[] = [];
  let block: Tokens = [];
  for (const token of tokens) {
    block.push(token);
    if (token.level > 0 || token.nesting === 1) continue;
    blocks.push(block);
    block = [];
  }
  return blocks;
}

function renderBlock(block: Tokens): Html {
  return raw(markdownIt.renderer.render(block, markdownIt.options, {}));
}

function fencedExample({ info, content }: Tokens[number], before: Tokens | undefined): Content {
  const [opening, caption] = before ?? [];
  if (opening?.type !== 'paragraph_open' || caption === undefined)
    throw new Error(`A code block of a guide has no caption: ${content}`);
  return example(caption.content.replace(/:$/, ''), info, content.trimEnd());
}

/** Replaces the placeholders of texts. */
function fillTexts(source: string, model: DocsModel): string {
  return source.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    return GUIDE_TEXTS[name]?.(model) ?? placeholder;
  });
}

/** Returns the value of a placeholder that is a paragraph of its own. */
function blockValue(paragraph: string | undefined, model: DocsModel): Content | undefined {
  const [, name = ''] = /^\{\{(\w+)\}\}$/.exec(paragraph ?? '') ?? [];
  return GUIDE_BLOCKS[name]?.(model);
}
