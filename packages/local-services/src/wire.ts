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

/** Opens an address on loopback that leads to a port there; to several in turn, one for each connection. */
export async function openWire(...ports: readonly number[]): Promise<Wire> {
  let targets = ports;
  let opened = 0;
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const target = targets[opened++ % targets.length];
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
      targets = [];
      cut();
    },
    turnTo(next) {
      targets = [next];
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
