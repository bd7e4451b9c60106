// Film: three dimensions in a page. `play` runs the page of `blockdyn animate`, `Viewer` and `LiveViewer` stand in other pages.

export { play } from "./player";
export { Viewer } from "./viewer";
export { LiveViewer } from "./live";
