const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;

/** Red, green and blue, 0 to 255, of any CSS color without transparency, as the browser paints it. */
export function paintedColor(color: string): number[] {
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

/** Contrast ratio of two colors, 1 to 21 (WCAG 2.2: contrast ratio). */
export function contrastRatio(one: readonly number[], other: readonly number[]): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(rgb: readonly number[]): number {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
