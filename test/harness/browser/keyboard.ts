import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

const TABS_MAX = 80;

const FOCUSED = `(() => {
  const { activeElement: element } = document;
  return (element?.labels?.[0]?.textContent ?? element?.textContent ?? '').replace(/\\s+/g, ' ').trim();
})()`;

/** A person without a pointer. Each pressed key and each typed text is one action. */
export class Keyboard {
  readonly page: Page;
  actions = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async press(key: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }

  /** Presses the Tab key until the control with this label has the focus. */
  async reach(label: string): Promise<void> {
    const seen: string[] = [];
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      await this.press('Tab');
      const focused = await this.page.evaluate<string>(FOCUSED);
      if (focused === label || focused.startsWith(`${label}:`)) return;
      seen.push(focused);
    }
    assert.fail(`“${label}” is not reached: ${seen.join(' | ')}`);
  }

  async type(label: string, text: string): Promise<void> {
    await this.reach(label);
    this.actions += 1;
    await this.page.keyboard.insertText(text);
  }

  /** Types a time key by key, as its field takes it in parts. */
  async typeTime(label: string, text: string): Promise<void> {
    await this.reach(label);
    this.actions += text.length;
    await this.page.keyboard.type(text);
  }

  /** Presses Enter, which opens another page. */
  async open(label?: string): Promise<void> {
    if (label !== undefined) await this.reach(label);
    await Promise.all([this.page.waitForEvent('load'), this.press('Enter')]);
  }
}
