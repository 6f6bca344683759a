import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP address that leads to another one, as a balancer or a network does. */
export interface Wire {
  readonly port: number;
  /** Cuts all connections. Gives how many there were. */
  cut(): number;
  /** Lets no connection through until {@link Wire.turnTo}. */
  block(): void;
  /** Leads to this port from now on, and cuts what leads to another one. */
  turnTo(port: number): void;
  close(): void;
}

/** Opens an address on loopback that leads to a port there. */
export async function openWire(port: number): Promise<Wire> {
  let target: number | undefined = port;
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    if (target === undefined) return incoming.destroy();
    const outgoing = connect(target, '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    return incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): number => {
    const { size } = sockets;
    for (const socket of sockets) socket.destroy();
    return Math.ceil(size / 2);
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    block() {
      target = undefined;
      cut();
    },
    turnTo(next) {
      const isOther = next !== target;
      target = next;
      if (isOther) cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
