// Tells the block editor the height of the preview. The editor cannot measure it if the website and its
// administration have different origins.
new ResizeObserver(() => {
  parent.postMessage({ connectEmbedPreviewHeight: document.body.offsetHeight }, '*');
}).observe(document.body);
