/** Something that no answer may be. */
export interface Fault {
  /** The same for every request that shows the same defect, so that it is reported once. */
  sign: string;
  detail: string;
}

export function fault(rule: string, where: string, detail: string): Fault {
  return { sign: `${rule} at ${where}`, detail: detail.slice(0, 600) };
}
