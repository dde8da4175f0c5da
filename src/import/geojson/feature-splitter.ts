import { ImportFileError } from '../import-file-error.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const FEATURE_BYTES_MAX = 64 * 1024 * 1024;
const FRAME_BYTES_MAX = 4 * 1024 * 1024;

/** Splits a FeatureCollection as bytes arrive, by brackets and strings; JSON.parse validates the parts. */
export class FeatureSplitter {
  readonly #file: string;
  readonly #feature: Buffer[] = [];
  readonly #frame: Buffer[] = [];
  #featureBytes = 0;
  #frameBytes = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Last string of the frame; it becomes a key when a colon follows. */
  #word: number[] = [];
  #key = '';
  #inFeatures = false;
  #afterFeature = false;
  #afterComma = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Yields the features that this chunk completes. */
  *push(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (!this.#inFeatures) {
        if (this.#entersFeatures(byte)) {
          this.#keepFrame(chunk.subarray(start, at + 1));
          start = at + 1;
        }
      } else if (this.#depth > 0) {
        this.#follow(byte);
        if (this.#depth > 0) continue;
        yield this.#takeFeature(chunk.subarray(start, at + 1));
        start = at + 1;
      } else {
        start = this.#betweenFeatures(byte, at);
      }
    }
    const remainder = chunk.subarray(start);
    if (this.#inFeatures) this.#keepFeature(remainder);
    else this.#keepFrame(remainder);
  }

  /** Returns the frame without its features, such as `{"type":"FeatureCollection","features":[]}`. */
  end(): Readonly<Record<string, unknown>> {
    if (this.#inFeatures)
      throw new ImportFileError(`${this.#file} is truncated: it ends inside its list of features.`);
    let frame: unknown;
    try {
      frame = JSON.parse(
        Buffer.concat(this.#frame)
          .toString('utf8')
          .replace(/^\uFEFF/, ''),
      );
    } catch (error) {
      throw new ImportFileError(`${this.#file} is not valid JSON around its features.`, { cause: error });
    }
    const { type, features } = (frame ?? {}) as { type?: unknown; features?: unknown };
    if (type !== 'FeatureCollection' || !Array.isArray(features)) {
      throw new ImportFileError(`${this.#file} is JSON, but not a GeoJSON FeatureCollection.`);
    }
    return frame as Record<string, unknown>;
  }

  #follow(byte: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
    } else if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--;
  }

  /** Before the features: looks for the key `features` of the outermost object. */
  #entersFeatures(byte: number): boolean {
    const within = this.#inString;
    this.#follow(byte);
    if (this.#depth === 2 && byte === OPEN_BRACKET && !within && this.#key === 'features') {
      this.#inFeatures = true;
      this.#depth = 0;
      return true;
    }
    if (this.#depth !== 1) return false;
    if (within && this.#inString) {
      if (this.#word.length < 64) this.#word.push(byte);
    } else if (this.#inString) this.#word = [];
    else if (byte === COLON) this.#key = String.fromCharCode(...this.#word);
    else if (byte === COMMA) this.#key = '';
    return false;
  }

  /** Between features, expects a comma, a feature or the end. Returns the start of the bytes to keep. */
  #betweenFeatures(byte: number, at: number): number {
    if (byte === OPEN_BRACE && !this.#afterFeature) {
      this.#depth = 1;
      this.#afterComma = false;
      return at;
    }
    if (byte === COMMA && this.#afterFeature) {
      this.#afterFeature = false;
      this.#afterComma = true;
    } else if (byte === CLOSE_BRACKET && !this.#afterComma) {
      this.#inFeatures = false;
      this.#depth = 1;
      this.#key = '';
      return at;
    } else if (![0x20, 0x0a, 0x0d, 0x09].includes(byte)) {
      throw new ImportFileError(`${this.#file} is not valid JSON: there is other text between its features.`);
    }
    return at + 1;
  }

  #takeFeature(last: Buffer): Buffer {
    this.#afterFeature = true;
    if (this.#feature.length === 0) return last;
    const feature = Buffer.concat([...this.#feature, last]);
    this.#feature.length = 0;
    this.#featureBytes = 0;
    return feature;
  }

  #keepFeature(part: Buffer): void {
    if (part.length === 0) return;
    this.#featureBytes += part.length;
    if (this.#featureBytes > FEATURE_BYTES_MAX)
      throw new ImportFileError(`${this.#file} has a feature larger than 64 MB.`);
    this.#feature.push(part);
  }

  #keepFrame(part: Buffer): void {
    if (part.length === 0) return;
    this.#frameBytes += part.length;
    if (this.#frameBytes > FRAME_BYTES_MAX) {
      throw new ImportFileError(
        `${this.#file} is not a GeoJSON FeatureCollection: no features were found in it.`,
      );
    }
    this.#frame.push(part);
  }
}
