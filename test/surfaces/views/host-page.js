import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/**
 * @typedef {{
 *   callTool: (params: { name: string, arguments?: Record<string, unknown> | undefined }) => Promise<import('@modelcontextprotocol/client').CallToolResult>,
 *   note: (kind: string, told: unknown) => Promise<void>,
 * }} TestSide
 * @typedef {{
 *   html: string,
 *   input: Record<string, unknown>,
 *   result: import('@modelcontextprotocol/client').CallToolResult,
 *   context: import('@modelcontextprotocol/ext-apps').McpUiHostContext,
 * }} Shown
 */

const { callTool, note } = /** @type {TestSide} */ (/** @type {unknown} */ (window));

/** Shows one view as a host does: a frame without an address of its own, and the official bridge to it. @param {Shown} shown */
async function openView({ html, input, result, context }) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.srcdoc = html;
  const bridge = new AppBridge(
    null,
    { name: 'Test host', version: '1.0.0' },
    { openLinks: {}, serverTools: {}, updateModelContext: { text: {} }, message: { text: {} } },
    { hostContext: context },
  );
  bridge.oncalltool = callTool;
  bridge.onopenlink = async (params) => {
    await note('link', params.url);
    return {};
  };
  bridge.onmessage = async (params) => {
    await note('message', params.content);
    return {};
  };
  bridge.onupdatemodelcontext = async (params) => {
    await note('context', params.content);
    return {};
  };
  bridge.onrequestdisplaymode = async ({ mode }) => {
    await note('mode', mode);
    bridge.setHostContext({ ...context, displayMode: mode });
    return { mode };
  };
  bridge.addEventListener('sizechange', ({ height }) => {
    frame.style.height = `${height}px`;
    void note('size', height);
  });
  const ready = new Promise((resolve) => {
    bridge.addEventListener('initialized', resolve);
  });
  document.body.replaceChildren(frame);
  if (frame.contentWindow === null) throw new Error('The frame has no window.');
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await ready;
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result);
  Object.assign(window, {
    changeContext: (/** @type {object} */ change) => {
      bridge.setHostContext({ ...context, ...change });
    },
    teardown: () => bridge.teardownResource({}),
  });
}

Object.assign(window, { openView });
