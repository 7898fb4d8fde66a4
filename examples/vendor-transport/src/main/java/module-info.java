module org.example.transport.queue {
    requires org.mscclj.spi;

    provides org.mscclj.spi.transport.TransportProvider with
            org.example.transport.queue.QueueTransportProvider;
}
