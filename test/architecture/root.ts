/** The folder of the whole project. */
export const ROOT = new URL('../../', import.meta.url).pathname;
