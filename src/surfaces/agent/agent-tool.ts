/** Members shared by reads of agents, to be spread into an operation. */
export const agentReadTool = {
  effect: 'read',
  access: { who: 'agent', scope: 'read' },
  tools: ['agent'],
} as const;

/** Members shared by writes of agents. */
export const agentWriteTool = {
  effect: 'write',
  access: { who: 'agent', scope: 'write' },
  tools: ['agent'],
} as const;
