// Link: the way to a run, over a socket of this machine or through a notebook.

import type { Asked, Told } from "./messages";

export interface Listener<T = Told> {
  told(message: T): void;
  binary(view: DataView): void;
  /** Whether the run can be reached, and how many tries in a row have failed to. */
  connected(on: boolean, failed: number): void;
}

export interface Link {
  send(message: Asked): void;
  close(): void;
}

const WAITS = [500, 1000, 2000]; // ms before another try; the last one again and again

/** A socket that is opened again when it was lost, until the run has told that it has ended. */
export class SocketLink<A = Asked, T extends { type: string } = Told> {
  private socket: WebSocket | null = null;
  private tries = 0;
  private over = false;

  constructor(private readonly address: string, private readonly listener: Listener<T>) {
    this.open();
  }

  send(message: A): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.over = true;
    this.socket?.close();
  }

  private open(): void {
    const socket = (this.socket = new WebSocket(this.address));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      this.listener.connected(true, 0);
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) return this.listener.binary(new DataView(data));
      const message = JSON.parse(data) as T;
      if (message.type === "ended") this.over = true;
      this.listener.told(message);
    };
    socket.onclose = () => {
      if (this.over) return;
      this.listener.connected(false, this.tries);
      setTimeout(() => this.over || this.open(), WAITS[Math.min(this.tries++, WAITS.length - 1)]);
    };
  }
}

/** What anywidget gives: a model whose messages go to Python and come from there. */
export interface Model<T = Told> {
  send(message: unknown): void;
  on(name: "msg:custom", heard: (message: T | { type: "binary" }, buffers: DataView[]) => void): void;
  off(name: "msg:custom", heard: unknown): void;
}

export class WidgetLink<A = Asked, T extends { type: string } = Told> {
  private readonly heard = (message: T | { type: "binary" }, buffers: DataView[]) => {
    if (message.type === "binary") this.listener.binary(buffers[0]);
    else this.listener.told(message as T);
  };

  constructor(private readonly model: Model<T>, private readonly listener: Listener<T>) {
    model.on("msg:custom", this.heard);
    model.send({ type: "open" });
    listener.connected(true, 0);
  }

  send(message: A): void {
    this.model.send(message);
  }

  close(): void {
    this.model.off("msg:custom", this.heard);
  }
}
