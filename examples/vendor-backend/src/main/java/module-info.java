/** Acme's devices. */
module com.acme.device {
    requires org.mscclj.spi;
    requires org.mscclj.support;

    provides org.mscclj.spi.device.BackendProvider with
            com.acme.device.AcmeProvider;
}
