// Makes the frame in the block editor as high as the form. Both have the same origin.
new ResizeObserver(() => {
  frameElement.style.height = `${document.body.offsetHeight}px`;
}).observe(document.body);
