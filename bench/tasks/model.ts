import type { Host } from './host.ts';
import { hasRemedy } from './planner/read-result.ts';
import type { Outcome, Task } from './task.ts';
import { wording } from './wording.ts';

const CALLS_MAX = 16;
const TIMEOUT_MS = 60_000;

/** The same settings as those of the service's own model: an endpoint in the form of OpenAI's chat completions. */
export interface ModelSettings {
  url: string;
  model: string;
  key: string | undefined;
}

export function modelFrom(env: NodeJS.ProcessEnv): ModelSettings | undefined {
  const { LLM_URL: url, LLM_MODEL: model, LLM_KEY: key } = env;
  return url === undefined || model === undefined ? undefined : { url, model, key };
}

interface ToolCall {
  id: string;
  function: { name: string; arguments: string };
}

interface Message {
  role: string;
  content: string | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

const ORDERS =
  'You do what the user asks with the tools that you have. Answer in the end with what the user wants to know: names, ids, numbers, links and prices as the tools gave them.';

/** Lets a model do a task with the tools of the host. It sees their list and what the host forwards of each result. */
export async function askModel(
  host: Host,
  task: Task,
  settings: ModelSettings,
): Promise<Outcome & { deadEnds: number }> {
  const today = new Date().toISOString().slice(0, 10);
  const messages: Message[] = [
    { role: 'system', content: `${ORDERS} Today is ${today}.` },
    { role: 'user', content: wording(task) },
  ];
  const seen: string[] = [];
  let deadEnds = 0;
  while (host.counts.calls < CALLS_MAX) {
    const said = await complete(host, messages, settings);
    messages.push(said);
    if (said.tool_calls === undefined || said.tool_calls.length === 0) {
      const told = said.content ?? '';
      return { answer: told, seen: [...seen, told].join('\n'), deadEnds };
    }
    for (const { id, function: called } of said.tool_calls) {
      const tool = host.tools.find(({ name }) => name === called.name);
      const result =
        tool === undefined
          ? { error: true, view: 'There is no such tool.' }
          : await host.call(tool, JSON.parse(called.arguments || '{}') as Record<string, unknown>);
      if (result.error && !hasRemedy(result.view, Object.keys(tool?.inputSchema.properties ?? {})))
        deadEnds++;
      seen.push(result.view);
      messages.push({ role: 'tool', content: result.view, tool_call_id: id });
    }
  }
  return { answer: '', seen: seen.join('\n'), deadEnds };
}

async function complete(host: Host, messages: Message[], settings: ModelSettings): Promise<Message> {
  const tools = host.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  const response = await fetch(settings.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(settings.key !== undefined && { authorization: `Bearer ${settings.key}` }),
    },
    body: JSON.stringify({ model: settings.model, temperature: 0, messages, tools }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The language model answered with status ${response.status}.`);
  const { choices } = (await response.json()) as { choices: { message: Message }[] };
  const [choice] = choices;
  if (choice === undefined) throw new Error('The language model gave no choice.');
  return choice.message;
}
