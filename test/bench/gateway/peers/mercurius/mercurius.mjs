// Mercurius as a gateway, with its just-in-time compiler.
import gateway from '@mercuriusjs/gateway';
import Fastify from 'fastify';

const app = Fastify();
const services = JSON.parse(process.env.SERVICES);
const streams = 'ticks' in services;
await app.register(gateway, {
  jit: 1,
  subscription: streams,
  gateway: {
    services: Object.entries(services).map(([name, url]) => ({
      name,
      url,
      ...(name === 'ticks' && { wsUrl: url.replace('http', 'ws') }),
    })),
  },
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
