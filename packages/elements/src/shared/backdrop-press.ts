/** True if the backdrop of a dialog is pressed: its target is the dialog, but it lies outside its box. */
export function isBackdropPress(event: PointerEvent): boolean {
  const { target, currentTarget: dialog, button, clientX: x, clientY: y } = event;
  if (target !== dialog || button !== 0) return false;
  const { left, right, top, bottom } = (dialog as Element).getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}
