/** Reasons why a file cannot become a photo, with advice for its owner. */
export const REFUSALS = {
  empty: 'The file is empty. Choose it again.',
  too_large: 'The file is larger than 25 MB. Export the photo as a JPEG of a smaller size and send that.',
  heic: 'This is an HEIC file, which we cannot read. Share it as JPEG: on an iPhone choose Settings, Camera, Formats, Most Compatible, or export it from the Photos app.',
  drawing:
    'This is a drawing or a document (SVG or PDF), not a photo. Send a JPEG, PNG, WebP, TIFF, AVIF or GIF.',
  not_a_picture: 'We cannot read this as a photo. Send a JPEG, PNG, WebP, TIFF, AVIF or GIF.',
  too_many_pixels:
    'The photo has too many pixels. At most 20,000 along a side and 100 megapixels in all can be used: scale it down and send it again.',
  too_small:
    'The photo is too small to license. It needs at least 1,000 pixels along one side and 500 along the other.',
  damaged: 'The file is incomplete or damaged. Send the original again.',
  lost: 'The upload did not arrive in full. Send the photo again.',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export class PhotoRefused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(REFUSALS[code], options);
    this.name = 'PhotoRefused';
    this.code = code;
  }
}

export function refusalText(code: string): string {
  return code in REFUSALS ? REFUSALS[code as RefusalCode] : REFUSALS.damaged;
}
