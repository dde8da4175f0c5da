const ICON_SIZES = [48, 192, 512] as const;

interface Icon {
  src: string;
  mimeType: string;
  sizes: string[];
}

/** The icons of an endpoint, on its own origin: clients accept no others. */
export function iconsAt(url: string): Icon[] {
  return ICON_SIZES.map((size) => ({
    src: new URL(`/icon-${size}.png`, url).href,
    mimeType: 'image/png',
    sizes: [`${size}x${size}`],
  }));
}
